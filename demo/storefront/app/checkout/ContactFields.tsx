import { type ReactNode, useId } from "react"
import { useLocale } from "../i18n/LocaleProvider"
import type { Contact } from "./contact"

interface ContactFieldsProps {
  contact: Contact
  onChange: (contact: Contact) => void
  /** The delivery options, which stand under the address. */
  children: ReactNode
}

/** The fields that the browser fills in by itself, in the order of the form. */
const WHO = { email: "email", firstName: "given-name", lastName: "family-name" }
const WHERE = { address: "street-address", city: "address-level2", postalCode: "postal-code" }

export function ContactFields({ contact, onChange, children }: ContactFieldsProps) {
  const { t } = useLocale()
  const id = useId()
  const fields = (completed: Partial<Record<keyof Contact, string>>) => (
    <div className="fields">
      {(Object.keys(completed) as (keyof Contact)[]).map((name) => (
        <div key={name} className="field">
          <label htmlFor={id + name}>{t.checkout[name]}</label>
          <input
            id={id + name}
            required
            type={name === "email" ? "email" : "text"}
            autoComplete={completed[name]}
            data-testid={name}
            value={contact[name]}
            onChange={(event) => onChange({ ...contact, [name]: event.target.value })}
          />
        </div>
      ))}
    </div>
  )
  return (
    <>
      <fieldset className="panel">
        <legend className="panel-title">{t.checkout.contact}</legend>
        {fields(WHO)}
      </fieldset>
      <fieldset className="panel">
        <legend className="panel-title">
          {t.checkout.delivery} <span className="muted">· {t.checkout.country}</span>
        </legend>
        {fields(WHERE)}
        {children}
      </fieldset>
    </>
  )
}
