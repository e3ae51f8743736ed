/**
 * The lists, whose questions a POST to `search/` may ask, too. They are named here because, two folders further down, the address of
 * a route looks like that of a feature's file, which no route may import.
 */
export { GET as payouts } from "./payouts/route"
export { GET as problems } from "./problems/route"
export { GET as records } from "./service-transactions/route"
export { GET as transactions } from "./transactions/route"
