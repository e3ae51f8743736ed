import type { ReactNode } from "react"

function Stroke({ children }: { children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export function BagIcon() {
  return (
    <Stroke>
      <path d="M6 8h12l1 12H5L6 8Z" />
      <path d="M9 10V6.5a3 3 0 0 1 6 0V10" />
    </Stroke>
  )
}

export function QrIcon() {
  return (
    <Stroke>
      <rect x="4" y="4" width="6" height="6" rx="1" />
      <rect x="14" y="4" width="6" height="6" rx="1" />
      <rect x="4" y="14" width="6" height="6" rx="1" />
      <path d="M14 14h2v2h-2zM20 14v2M18 18h2v2M14 20h1" />
    </Stroke>
  )
}

export function CoinIcon() {
  return (
    <Stroke>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8.5 8.5h7M12 8.5v8M8.8 11.5c1.8.8 4.6.8 6.4 0" />
    </Stroke>
  )
}

export function CheckIcon() {
  return (
    <Stroke>
      <path d="m5.5 12.5 4.3 4.3 8.7-9.3" />
    </Stroke>
  )
}

export function CrossIcon() {
  return (
    <Stroke>
      <path d="m7 7 10 10M17 7 7 17" />
    </Stroke>
  )
}

export function ClockIcon() {
  return (
    <Stroke>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.5V12l3 2" />
    </Stroke>
  )
}

export function NoticeIcon() {
  return (
    <Stroke>
      <path d="M12 8v5M12 16.5v.1" />
      <path d="M12 3.5 3.5 19h17L12 3.5Z" />
    </Stroke>
  )
}
