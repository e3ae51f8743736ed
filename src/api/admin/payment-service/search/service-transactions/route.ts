export { records as POST } from "../../lists"
