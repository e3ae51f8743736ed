import { KeyboundForm } from "@medusajs/dashboard/components"
import { Button, Drawer } from "@medusajs/ui"
import type { KeyboardEvent, ReactNode } from "react"

import { useFormat } from "../lib/format"

interface ActionFormProps {
  /** The name of the action on its button. */
  label: string
  isBusy: boolean
  isPossible: boolean
  doIt: () => void
  children: ReactNode
}

/** A drawer's form as Medusa has them: Ctrl+Enter does the action from every field, and Enter alone does nothing. */
export const ActionForm = ({ doIt, children, ...action }: ActionFormProps) => (
  <KeyboundForm
    // The keys work while the button does not.
    onSubmit={() => {
      if (action.isPossible && !action.isBusy) doIt()
    }}
    className="flex flex-1 flex-col overflow-hidden"
  >
    {children}
    <ActionFooter {...action} />
  </KeyboundForm>
)

/** A drawer's form for an action that may send money: no key does it, and the browser remembers nothing that is typed. */
export const TypedForm = ({ doIt, children, ...action }: ActionFormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault()
      doIt()
    }}
    onKeyDown={ignoreEnter}
    autoComplete="off"
    className="flex flex-1 flex-col overflow-hidden"
  >
    {children}
    <ActionFooter {...action} />
  </form>
)

/** Enter in a field submits nothing, because only a button may send money. */
export function ignoreEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault()
}

/** The name of a drawer's action, and what will happen. */
export const ActionHeader = ({ title, children }: { title: string; children: ReactNode }) => (
  <Drawer.Header>
    <Drawer.Title>{title}</Drawer.Title>
    <Drawer.Description className="txt-small text-ui-fg-subtle">{children}</Drawer.Description>
  </Drawer.Header>
)

/** The end of a drawer's form: a button that closes it and one that does the action. */
const ActionFooter = ({
  label,
  isBusy,
  isPossible,
}: Pick<ActionFormProps, "label" | "isBusy" | "isPossible">) => {
  const { t } = useFormat()
  return (
    <Drawer.Footer>
      <Drawer.Close asChild>
        <Button size="small" variant="secondary" type="button">
          {t("actions.cancel")}
        </Button>
      </Drawer.Close>
      <Button size="small" type="submit" isLoading={isBusy} disabled={!isPossible}>
        {label}
      </Button>
    </Drawer.Footer>
  )
}
