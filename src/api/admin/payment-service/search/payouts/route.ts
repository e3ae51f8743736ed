export { GET as POST } from "../../payouts/route"
