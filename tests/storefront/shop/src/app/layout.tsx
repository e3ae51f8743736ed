import { ReactNode } from "react"
import "../styles/globals.css"

export const metadata = { title: "A shop of the tests" }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  )
}
