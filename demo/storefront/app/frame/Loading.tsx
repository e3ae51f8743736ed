export function Loading({ label }: { label?: string }) {
  return (
    <div className="loading" role="status">
      <span className="spinner" />
      {label && <span>{label}</span>}
    </div>
  )
}
