import { zodResolver } from "@hookform/resolvers/zod"
import { Form, KeyboundForm } from "@medusajs/dashboard/components"
import { Button, Drawer, Input, RadioGroup, Select, Textarea } from "@medusajs/ui"
import {
  type ComponentPropsWithoutRef,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from "react"
import {
  type ControllerRenderProps,
  type DefaultValues,
  type FieldValues,
  useForm,
  type UseFormReturn,
} from "react-hook-form"
import { z } from "zod"

import { useFormat } from "../lib/format"
import { asTyped, sumIn } from "../lib/payouts/amounts"
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

/** A form whose values a schema judges: from the first try on, an error stands at its field until it is mended. */
export const useChecked = <Typed extends FieldValues, Sent>(
  schema: z.ZodType<Sent, Typed>,
  defaultValues: DefaultValues<Typed>
) => useForm({ resolver: zodResolver(schema), defaultValues })

export interface CheckedFormProps<Typed extends FieldValues, Sent> {
  form: UseFormReturn<Typed, unknown, Sent>
  onSubmit: (sent: Sent) => unknown
  /** Whether something that is no value of it, a card number, is not as it should be. */
  isWrong?: boolean
  isBusy: boolean
  /** Whether it may send money: then only its button submits it, and the browser remembers nothing that is typed. */
  isMoney?: boolean
  children: ReactNode
}

/** A form as Medusa has them: Ctrl+Enter submits it from every field, and Enter alone does nothing. */
export function CheckedForm<Typed extends FieldValues, Sent>(props: CheckedFormProps<Typed, Sent>) {
  const { form, onSubmit, isWrong, isBusy, isMoney, children } = props
  const submit = form.handleSubmit((sent) => isWrong || onSubmit(sent))
  return (
    <Form {...form}>
      <KeyboundForm
        // The keys work while the button does not.
        onSubmit={(event) => !isBusy && void submit(event)}
        className="flex flex-1 flex-col overflow-hidden"
        {...(isMoney && { onKeyDown: withoutEnter, autoComplete: "off" })}
      >
        {children}
      </KeyboundForm>
    </Form>
  )
}

const withoutEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault()
}

interface ActionFormProps<Typed extends FieldValues, Sent> extends CheckedFormProps<Typed, Sent> {
  title: string
  /** The effect of the action, in a sentence. */
  description: string
  label: string
  closeLabel?: string
  /** Why it was not done. */
  error?: unknown
}

/** The form of an action in a drawer. */
export function ActionForm<Typed extends FieldValues, Sent>(action: ActionFormProps<Typed, Sent>) {
  const { t } = useFormat()
  return (
    <CheckedForm {...action}>
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
        <Button size="small" type="submit" isLoading={action.isBusy}>
          {action.label}
        </Button>
      </Drawer.Footer>
    </CheckedForm>
  )
}

interface FieldProps {
  name: string
  label: string
  /** A word about it behind its label. */
  aside?: string | false
  hint?: string | undefined
}

type Typing = ControllerRenderProps<Record<string, string>>
type AnyFieldProps = FieldProps & { children: (typed: Typing) => ReactElement }

/** A field of a form, with a hint below it, or with what is to be corrected. */
export const Field = ({ name, label, aside, hint, children }: AnyFieldProps) => (
  <Form.Field<Record<string, string>>
    name={name}
    render={({ field, fieldState: { invalid } }) => (
      <Form.Item>
        <Form.Label>
          {label}
          {aside && <span className="text-ui-fg-subtle font-normal"> ({aside})</span>}
        </Form.Label>
        <Form.Control>{children(field)}</Form.Control>
        {hint && !invalid && <Form.Hint>{hint}</Form.Hint>}
        <Form.ErrorMessage role="alert" />
      </Form.Item>
    )}
  />
)

type TextFieldProps = FieldProps & Omit<ComponentPropsWithoutRef<typeof Input>, "name">

/** A line of typed text, which the browser does not remember. */
export const TextField = ({ name, label, hint, ...input }: TextFieldProps) => (
  <Field {...{ name, label, hint }}>
    {(typed) => <Input autoComplete="off" {...input} {...typed} />}
  </Field>
)

type NoteFieldProps = Omit<FieldProps, "name"> & { placeholder: string }

/** A note on an action: what was done or found. The routes take no longer one. */
export const NoteField = ({ placeholder, ...field }: NoteFieldProps) => (
  <Field name="note" {...field}>
    {(typed) => (
      // It is not `required`: an empty field would look wrong before anything was typed.
      <Textarea
        {...typed}
        placeholder={placeholder}
        aria-required={!field.aside}
        maxLength={2000}
        rows={4}
      />
    )}
  </Field>
)

/** A sum that is typed, at first the whole one, which is sent with all of its digits. */
export function useTypedSum(whole: string) {
  const { language } = useFormat()
  const shown = asTyped(whole, language)
  const read = (typed: string) => (typed === shown ? whole : sumIn(typed))
  return {
    shown,
    /** Null for a text that is no sum. */
    read,
    schema: (wrong: string) => {
      const isSum = z.string(wrong).refine((sum) => Number(sum) > 0, wrong)
      return z.string().transform(read).pipe(isSum)
    },
  }
}

type TriggerProps = ComponentPropsWithoutRef<typeof Select.Trigger>

interface ChoiceProps
  extends Omit<TriggerProps, "value">, Pick<ComponentPropsWithoutRef<typeof Select>, "size"> {
  value?: string
  options: readonly string[]
  /** The name of an option; the option itself, unless given. */
  nameOf?: (option: string) => string
  onChoose: (option: string) => void
  placeholder?: string
}

export const Choice = ({ value, size, options, onChoose, placeholder, ...choice }: ChoiceProps) => {
  const { nameOf = (option) => option, disabled = false, ...trigger } = choice
  return (
    <Select value={value} size={size} disabled={disabled} onValueChange={onChoose}>
      <Select.Trigger {...trigger}>
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

/** Medusa's choice box, whose circle a long text beside it would squeeze on a narrow screen. */
export const ChoiceBox = (props: ComponentPropsWithoutRef<typeof RadioGroup.ChoiceBox>) => (
  <RadioGroup.ChoiceBox {...props} className="[&>div:first-child]:shrink-0" />
)

interface ChoiceBoxesProps extends FieldProps {
  /** The chosen one, where it is another than the form's own value. */
  value?: string
  options: ComponentPropsWithoutRef<typeof ChoiceBox>[]
  disabled?: boolean
}

/** Chooses one of a few that need a sentence each. */
export const ChoiceBoxes = ({ value, options, disabled, ...field }: ChoiceBoxesProps) => (
  <Field {...field}>
    {({ ref, onChange, ...typed }) => (
      <RadioGroup
        ref={ref}
        value={value ?? typed.value}
        onValueChange={onChange}
        disabled={disabled}
      >
        {options.map((option) => (
          <ChoiceBox key={option.value} {...option} />
        ))}
      </RadioGroup>
    )}
  </Field>
)
