export { MarkPayout as default } from "../../../../../components/payouts/drawers"
