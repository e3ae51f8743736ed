"use client"

import { login } from "@lib/data/customer"
import { Button } from "@modules/common/components/ui"
import { useActionState } from "react"

export default function Account() {
  const [message, formAction] = useActionState(login, null)

  return (
    <form action={formAction}>
      <input name="email" aria-label="Email" />
      <input name="password" type="password" aria-label="Password" />
      {message && <p data-testid="login-error-message">{message}</p>}
      <Button type="submit">Sign in</Button>
    </form>
  )
}
