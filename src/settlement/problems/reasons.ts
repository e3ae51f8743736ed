import { type Difference, differenceText } from "./differences"
import { type Refusal, refusalText } from "./refusals"
import { joined, type Text } from "../../texts"

/** Why a row is not in order: a difference, or a refusal of Medusa or the service. */
export type Reason = Difference | Refusal

/** The reasons as one text. */
export function reasonsText(reasons: readonly Reason[]): Text {
  return joined(
    reasons.map((reason) => ("what" in reason ? differenceText(reason) : refusalText(reason))),
    "; "
  )
}

/** The reasons for a log, in English. A refusal keeps Medusa's or the service's own words. */
export function reasonsForLog(reasons: readonly Reason[]): string {
  return reasons
    .map((reason) => ("code" in reason && reason.detail) || reasonsText([reason]).en)
    .join("; ")
}
