import { describeStories } from "./real-stories"

describeStories("after_payment")
