export { GET as POST } from "../../problems/route"
