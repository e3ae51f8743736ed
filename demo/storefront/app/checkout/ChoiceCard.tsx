import type { ReactNode } from "react"

interface ChoiceCardProps {
  group: string
  checked: boolean
  disabled?: boolean
  title: string
  hint?: string
  icon?: ReactNode
  aside?: string
  testId?: string
  onChoose: () => void
}

/** A radio button that is a whole card. */
export function ChoiceCard(props: ChoiceCardProps) {
  const { group, checked, disabled, title, hint, icon, aside, testId, onChoose } = props
  return (
    <label className="choice" data-testid={testId}>
      <input type="radio" name={group} checked={checked} disabled={disabled} onChange={onChoose} />
      {icon && <span className="choice-icon">{icon}</span>}
      <span className="choice-text">
        <span className="choice-title">{title}</span>
        {hint && <span className="choice-hint">{hint}</span>}
      </span>
      {aside && <span className="choice-aside">{aside}</span>}
    </label>
  )
}
