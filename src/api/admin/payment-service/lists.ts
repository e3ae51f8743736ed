/** The lists, whose questions a POST to `search/` may ask, too. */
export { GET as payouts } from "./payouts/route"
export { GET as problems } from "./problems/route"
export { GET as records } from "./service-transactions/route"
export { GET as transactions } from "./transactions/route"
