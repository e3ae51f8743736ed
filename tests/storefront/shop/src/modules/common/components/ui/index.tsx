import { ButtonHTMLAttributes } from "react"

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  size?: "small" | "medium" | "large"
  isLoading?: boolean
}

export const Button = ({
  size,
  isLoading,
  disabled,
  ...props
}: ButtonProps) => (
  <button
    type="button"
    data-size={size}
    disabled={disabled || isLoading}
    {...props}
  />
)
