import { FocusModal, Heading } from "@medusajs/ui"
import type { ReactNode } from "react"

import { Subtle } from "../cards"
import { MoneyForm } from "../forms"

interface StepProps {
  title: string
  note: string
  /** The facts below the note. */
  about?: ReactNode
  onSubmit: () => void
  buttons: ReactNode
  children: ReactNode
}

/** A step towards a payout, in its modal. */
export const Step = ({ title, note, about, onSubmit, buttons, children }: StepProps) => (
  <MoneyForm onSubmit={onSubmit} className="flex flex-1 flex-col overflow-hidden">
    <FocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto py-8 sm:py-16">
      <div className="flex w-full max-w-[720px] flex-col gap-y-8 px-6">
        <div className="flex flex-col gap-y-1">
          <Heading>{title}</Heading>
          <Subtle>{note}</Subtle>
          {about}
        </div>
        {children}
      </div>
    </FocusModal.Body>
    <FocusModal.Footer>{buttons}</FocusModal.Footer>
  </MoneyForm>
)
