export { ApproveTyped as default } from "../../../../../components/payouts/drawers"
