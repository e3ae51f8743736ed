import { GET as payouts } from "../../payouts/route"
import { GET as problems } from "../../problems/route"
import { GET as records } from "../../service-transactions/route"
import { GET as transactions } from "../../transactions/route"
import { byName } from "../../in-readers-language"

export const POST = byName({ payouts, problems, "service-transactions": records, transactions })
