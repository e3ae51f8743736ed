import { MarkPayout } from "../../../../../components/payouts/mark-payout"
import { PayoutDrawer } from "../../../../../components/payouts/payout-drawer"

const MarkPayoutPage = () => <PayoutDrawer actions={["mark"]} Form={MarkPayout} />

export default MarkPayoutPage
