export { problems as POST } from "../../lists"
