import { describeStories } from "./real-stories"

describeStories("before_payment")
