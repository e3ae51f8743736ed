export { ProblemDrawer as default } from "../../../../../components/problems/problem-drawer"
