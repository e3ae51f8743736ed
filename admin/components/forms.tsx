import { KeyboundForm } from "@medusajs/dashboard/components"
import { Button, Drawer, Hint, Input, Label, RadioGroup, Select, Textarea } from "@medusajs/ui"
import { type ComponentProps, type ReactNode, useState } from "react"

import { useFormat } from "../lib/format"
import { NotDone } from "./cards"
import { Action } from "./link-to"

/** The drawer of one of several actions, which stays until the action has told what became of it, also when it is no longer possible. */
export function useDrawer<Chosen>(formOf: (chosen: Chosen, close: () => void) => ReactNode) {
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState<Chosen>()
  const open = (one: Chosen) => {
    setChosen(one)
    setIsOpen(true)
  }
  const drawer = (
    <Drawer open={isOpen} onOpenChange={setIsOpen}>
      <Drawer.Content>
        {chosen !== undefined && formOf(chosen, () => setIsOpen(false))}
      </Drawer.Content>
    </Drawer>
  )
  return { open, drawer }
}

interface ActionFormProps {
  title: string
  /** The effect of the action, in a sentence. */
  description: string
  label: string
  closeLabel?: string
  isBusy: boolean
  isPossible: boolean
  doIt: () => void
  /** Why it was not done. */
  error?: unknown
  /** Whether the action may send money: then no key does it, and the browser remembers nothing that is typed. */
  isMoney?: boolean
  children: ReactNode
}

/** A drawer's form as Medusa has them: Ctrl+Enter does the action from every field, and Enter alone does nothing. */
export const ActionForm = ({ isMoney, doIt, isPossible, isBusy, ...action }: ActionFormProps) => {
  const { t } = useFormat()
  const Form = isMoney ? MoneyForm : KeyboundForm
  return (
    // The keys work while the button does not.
    <Form
      onSubmit={() => isPossible && !isBusy && doIt()}
      className="flex flex-1 flex-col overflow-hidden"
    >
      <Drawer.Header>
        <Drawer.Title>{action.title}</Drawer.Title>
        <Drawer.Description className="txt-small text-ui-fg-subtle">
          {action.description}
        </Drawer.Description>
      </Drawer.Header>
      <Drawer.Body className="flex flex-col gap-y-6 overflow-y-auto">
        {action.children}
        <NotDone error={action.error} />
      </Drawer.Body>
      <Drawer.Footer>
        <Drawer.Close asChild>
          <Action type="button">{action.closeLabel ?? t("actions.cancel")}</Action>
        </Drawer.Close>
        <Button size="small" type="submit" isLoading={isBusy} disabled={!isPossible}>
          {action.label}
        </Button>
      </Drawer.Footer>
    </Form>
  )
}

type FormProps = Omit<ComponentProps<"form">, "onSubmit"> & { onSubmit: () => void }

/** A form that only its button submits, because that may send money; the browser remembers nothing that is typed. */
export const MoneyForm = ({ onSubmit, ...form }: FormProps) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
    onKeyDown={(event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault()
    }}
    autoComplete="off"
  />
)

interface FieldProps {
  id: string
  label: ReactNode
  isOptional?: boolean
  hint?: string
  isWrong?: boolean
  children: ReactNode
}

export const Field = ({ id, label, isOptional, hint, isWrong, children }: FieldProps) => {
  const { t } = useFormat()
  return (
    <div className="flex flex-col gap-y-2">
      <Label htmlFor={id} size="small" weight="plus">
        {label}
        {isOptional && (
          <span className="txt-compact-small text-ui-fg-subtle"> ({t("payout.new.optional")})</span>
        )}
      </Label>
      {children}
      {hint && (
        <Hint
          id={`${id}-hint`}
          variant={isWrong ? "error" : "info"}
          role={isWrong ? "alert" : undefined}
        >
          {hint}
        </Hint>
      )}
    </div>
  )
}

interface ChoiceProps extends Pick<ComponentProps<typeof Select>, "size" | "disabled"> {
  /** The id of its field; where it has none, its label. */
  id?: string
  label?: string
  describedBy?: string
  value?: string
  options: readonly string[]
  /** The name of an option; the option itself, unless given. */
  nameOf?: (option: string) => string
  onChoose: (option: string) => void
  placeholder?: string
  className?: string
}

export const Choice = ({ id, label, options, onChoose, placeholder, ...choice }: ChoiceProps) => {
  const { nameOf = (option) => option, className, describedBy, ...select } = choice
  return (
    <Select {...select} onValueChange={onChoose}>
      <Select.Trigger
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        className={className}
      >
        <Select.Value placeholder={placeholder} />
      </Select.Trigger>
      <Select.Content>
        {options.map((option) => (
          <Select.Item key={option} value={option}>
            {nameOf(option)}
          </Select.Item>
        ))}
      </Select.Content>
    </Select>
  )
}

interface NoteFieldProps extends Pick<FieldProps, "id" | "label" | "isOptional"> {
  placeholder: string
  value: string
  onChange: (note: string) => void
}

/** A note on an action: what was done or found. The routes take no longer one. */
export const NoteField = ({ id, label, isOptional, onChange, ...note }: NoteFieldProps) => (
  <Field id={id} label={label} isOptional={isOptional}>
    {/* It is not `required`: an empty field would look wrong before anything was typed. */}
    <Textarea
      {...note}
      id={id}
      aria-required={!isOptional}
      maxLength={2000}
      rows={4}
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)

/** Medusa's choice box, whose circle a long text beside it would squeeze on a narrow screen. */
export const ChoiceBox = (props: ComponentProps<typeof RadioGroup.ChoiceBox>) => (
  <RadioGroup.ChoiceBox {...props} className="[&>div:first-child]:shrink-0" />
)

interface ChoiceBoxesProps {
  label: string
  value: string
  options: ComponentProps<typeof ChoiceBox>[]
  disabled?: boolean
  onChoose: (value: string) => void
}

/** Chooses one of a few that need a sentence each. */
export const ChoiceBoxes = ({ label, options, onChoose, ...group }: ChoiceBoxesProps) => (
  <RadioGroup {...group} aria-label={label} onValueChange={onChoose}>
    {options.map((option) => (
      <ChoiceBox key={option.value} {...option} />
    ))}
  </RadioGroup>
)

interface TextFieldProps extends Omit<ComponentProps<typeof Input>, "onChange" | "size"> {
  id: string
  label: string
  hint: string
  isWrong: boolean
  onChange: (typed: string) => void
}

/** A line of typed text, which the browser does not remember, with a hint below it. */
export const TextField = ({ label, hint, isWrong, onChange, ...input }: TextFieldProps) => (
  <Field id={input.id} label={label} hint={hint} isWrong={isWrong}>
    <Input
      autoComplete="off"
      aria-invalid={isWrong}
      aria-describedby={`${input.id}-hint`}
      {...input}
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
)
