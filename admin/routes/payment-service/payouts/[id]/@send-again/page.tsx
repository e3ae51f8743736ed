export { SendAgain as default } from "../../../../../components/payouts/drawers"
