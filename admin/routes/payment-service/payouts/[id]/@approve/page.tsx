import { ApproveTyped } from "../../../../../components/payouts/approve-typed"
import { PayoutDrawer } from "../../../../../components/payouts/payout-drawer"

const ApprovePayoutPage = () => <PayoutDrawer actions={["approve"]} Form={ApproveTyped} />

export default ApprovePayoutPage
