import type { ReactNode } from "react"
import { useLocale } from "../i18n/LocaleProvider"
import type { Contact } from "./contact"
import { Field } from "./Field"

interface ContactFieldsProps {
  contact: Contact
  onChange: (contact: Contact) => void
  /** The delivery options, which stand under the address. */
  children: ReactNode
}

export function ContactFields({ contact, onChange, children }: ContactFieldsProps) {
  const { t } = useLocale()
  const set = (key: keyof Contact) => (value: string) => onChange({ ...contact, [key]: value })
  return (
    <>
      <fieldset className="panel">
        <legend className="panel-title">{t.checkout.contact}</legend>
        <div className="fields">
          <Field
            label={t.checkout.email}
            hint={t.checkout.emailHint}
            type="email"
            autoComplete="email"
            inputMode="email"
            className="field-wide"
            testId="email"
            value={contact.email}
            onValue={set("email")}
          />
          <Field
            label={t.checkout.firstName}
            autoComplete="given-name"
            value={contact.firstName}
            onValue={set("firstName")}
          />
          <Field
            label={t.checkout.lastName}
            autoComplete="family-name"
            value={contact.lastName}
            onValue={set("lastName")}
          />
        </div>
      </fieldset>
      <fieldset className="panel">
        <legend className="panel-title">
          {t.checkout.delivery} <span className="muted">· {t.checkout.country}</span>
        </legend>
        <div className="fields">
          <Field
            label={t.checkout.address}
            autoComplete="street-address"
            className="field-wide"
            value={contact.address}
            onValue={set("address")}
          />
          <Field
            label={t.checkout.city}
            autoComplete="address-level2"
            value={contact.city}
            onValue={set("city")}
          />
          <Field
            label={t.checkout.postalCode}
            autoComplete="postal-code"
            inputMode="numeric"
            value={contact.postalCode}
            onValue={set("postalCode")}
          />
        </div>
        {children}
      </fieldset>
    </>
  )
}
