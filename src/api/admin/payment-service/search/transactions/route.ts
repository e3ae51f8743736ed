export { transactions as POST } from "../../lists"
