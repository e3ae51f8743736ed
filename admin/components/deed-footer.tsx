import { Button, Drawer } from "@medusajs/ui"

import { useFormat } from "../lib/format"

interface DeedFooterProps {
  /** The name of the deed on its button. */
  label: string
  isBusy: boolean
  isPossible: boolean
}

/** The end of a drawer's form: a button that closes it and one that does the deed. */
export const DeedFooter = ({ label, isBusy, isPossible }: DeedFooterProps) => {
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
