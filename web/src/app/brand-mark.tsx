/** Drawn as on the pages of the sign-in. */
export function BrandMark() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="22"
      height="22"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="2.2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M5 16.5A9 9 0 1 1 20.5 11c0 4-3.5 4.5-4.3 7.2-.5 1.7-1.6 2.8-3.2 2.8a3.4 3.4 0 0 1-3-1.8" />
      <path d="M9 12.5a4 4 0 1 1 7-2.6" />
      <circle cx="12.6" cy="12.6" r="1.1" fill="var(--accent)" stroke="none" />
    </svg>
  )
}
