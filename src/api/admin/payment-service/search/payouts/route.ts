export { payouts as POST } from "../../lists"
