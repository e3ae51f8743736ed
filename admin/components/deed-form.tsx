import { KeyboundForm } from "@medusajs/dashboard/components"
import type { ReactNode } from "react"

import { DeedFooter } from "./deed-footer"

interface DeedFormProps {
  /** The name of the deed on its button. */
  label: string
  isBusy: boolean
  isPossible: boolean
  doIt: () => void
  children: ReactNode
}

/** A drawer's form as Medusa has them: Ctrl+Enter does the deed from every field, and Enter alone does nothing. */
export const DeedForm = ({ label, isBusy, isPossible, doIt, children }: DeedFormProps) => (
  <KeyboundForm
    // The keys work while the button does not.
    onSubmit={() => {
      if (isPossible && !isBusy) doIt()
    }}
    className="flex flex-1 flex-col overflow-hidden"
  >
    {children}
    <DeedFooter label={label} isBusy={isBusy} isPossible={isPossible} />
  </KeyboundForm>
)
