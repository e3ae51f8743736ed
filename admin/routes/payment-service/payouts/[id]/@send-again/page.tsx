import { SendAgain } from "../../../../../components/payouts/send-again"
import { PayoutDrawer } from "../../../../../components/payouts/payout-drawer"

const SendAgainPage = () => <PayoutDrawer actions={["send_again"]} Form={SendAgain} />

export default SendAgainPage
