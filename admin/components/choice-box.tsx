import { RadioGroup } from "@medusajs/ui"
import type { ComponentProps } from "react"

/** Medusa's choice box, whose circle a long text beside it would squeeze on a narrow screen. */
export const ChoiceBox = (props: ComponentProps<typeof RadioGroup.ChoiceBox>) => (
  <RadioGroup.ChoiceBox {...props} className="[&>div:first-child]:shrink-0" />
)
