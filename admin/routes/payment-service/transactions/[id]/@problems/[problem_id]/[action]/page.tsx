import { useParams } from "react-router-dom"

import { ProblemDrawer } from "../../../../../../../components/problem-drawer"

const ActPage = () => <ProblemDrawer problemId={useParams().problem_id ?? ""} />

export default ActPage
