export { GET as POST } from "../../service-transactions/route"
