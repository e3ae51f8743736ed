import { useId, type InputHTMLAttributes } from "react"

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  label: string
  hint?: string
  onValue: (value: string) => void
  testId?: string
}

export function Field({ label, hint, onValue, testId, className, ...input }: FieldProps) {
  const id = useId()
  return (
    <div className={`field ${className ?? ""}`}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        required
        aria-describedby={hint ? `${id}-hint` : undefined}
        data-testid={testId}
        onChange={(event) => onValue(event.target.value)}
        {...input}
      />
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}
