import { Label, Textarea } from "@medusajs/ui"

interface NoteFieldProps {
  id: string
  label: string
  placeholder: string
  value: string
  onChange: (note: string) => void
}

/** The required note on an action: what was done or found. The routes take no longer one. */
export const NoteField = ({ id, label, placeholder, value, onChange }: NoteFieldProps) => (
  <div className="flex flex-col gap-y-2">
    <Label htmlFor={id} size="small" weight="plus">
      {label}
    </Label>
    <Textarea
      id={id}
      // Not `required`: an empty field would look wrong before anything was typed.
      aria-required
      maxLength={2000}
      rows={4}
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </div>
)
