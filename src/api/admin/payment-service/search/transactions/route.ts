export { GET as POST } from "../../transactions/route"
