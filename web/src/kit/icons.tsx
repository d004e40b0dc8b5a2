/** A line drawing of 16 px; the text or the `aria-label` beside it names the thing. */
function Icon({ path, heavy }: { path: string; heavy?: boolean }) {
  return (
    <svg
      aria-hidden="true"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={heavy ? 2.2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  )
}

export function Inbox() {
  return <Icon path="M1.5 9.5h4l1 2h3l1-2h4M1.5 9.5v4h13v-4L12 2.5H4z" />
}

export function Search() {
  return <Icon path="M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zm-1 3.5 4 4" />
}

export function Alert() {
  return <Icon path="M8 1.5 14.5 13h-13zM8 6v3m0 1.8v.4" />
}

export function Keyword() {
  return <Icon path="M6 2 4.5 14M11.5 2 10 14M2.5 5.5h12M1.5 10.5h12" />
}

export function Rule() {
  return <Icon path="M2 4h8m3 0h1M2 8h2m3 0h7M2 12h6m3 0h3M10 2.5v3M4.5 6.5v3M8.5 10.5v3" />
}

export function Chart() {
  return <Icon path="M2 2v12h12M5 11.5v-3m3 3V4.5m3 7V7" />
}

export function Channel() {
  return (
    <Icon
      path={
        'M6.5 9.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3L8.5 3.2' +
        'm1 3.3a3 3 0 0 0-4.3 0L2.5 9.2a3 3 0 0 0 4.3 4.3l.7-.7'
      }
    />
  )
}

export function Delivery() {
  return <Icon path="m14.5 1.5-6 13-2.5-6-4.5-2.5zM6 8.5l4-3.5" />
}

export function Source() {
  return <Icon path="M3 13.5v-1m0-4a5 5 0 0 1 5 5m-5-9.5a9.5 9.5 0 0 1 9.5 9.5" />
}

export function Money() {
  return <Icon path="M1.5 3.5h13v9h-13zM1.5 6.5h13M4 10h3" />
}

export function Settings() {
  return (
    <Icon
      path={
        'M10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM8 1.5v2m0 9v2M1.5 8h2m9 0h2' +
        'M3.4 3.4l1.4 1.4m6.4 6.4 1.4 1.4m0-9.2-1.4 1.4m-6.4 6.4-1.4 1.4'
      }
    />
  )
}

export function Code() {
  return <Icon path="m5 4-3.5 4L5 12m6-8 3.5 4-3.5 4M9.3 2.5 6.7 13.5" />
}

export function Check() {
  return <Icon path="m2.5 8.5 3.5 4 7.5-9" />
}

export function Cross() {
  return <Icon path="m3.5 3.5 9 9m0-9-9 9" />
}

export function Person() {
  return <Icon path="M11 5a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM2.5 14c0-3 2.3-4.5 5.5-4.5s5.5 1.5 5.5 4.5" />
}

export function Segment() {
  return <Icon path="M7 2.5a6 6 0 1 0 6.5 6.5H7zM9.5 1.5a5 5 0 0 1 5 5h-5z" />
}

export function Note() {
  return <Icon path="M2.5 2.5h11v8l-3 3h-8zM13.5 10.5h-3v3M5 5.5h6M5 8.5h3.5" />
}

export function Mute() {
  return <Icon path="M1.5 6v4h2.5l3.5 3V3L4 6zM10.5 6l4 4m0-4-4 4" />
}

export function External() {
  return <Icon path="M9.5 2h4.5v4.5M14 2 7.5 8.5M6.5 3.5h-4v10h10v-4" />
}

export function Copy() {
  return <Icon path="M5.5 5.5h8.5v8.5H5.5zM10.5 5.5V2H2v8.5h3.5" />
}

export function Filter() {
  return <Icon path="M2 3h12L9.5 8.3V13l-3-1.5V8.3z" />
}

export function Menu() {
  return <Icon path="M2 4h12M2 8h12M2 12h12" />
}

export function More() {
  return <Icon path="M3 8h.01M8 8h.01M13 8h.01" heavy />
}

export function Plus() {
  return <Icon path="M8 2.5v11M2.5 8h11" />
}

export function Undo() {
  return <Icon path="M5.5 2.5 2 6l3.5 3.5M2 6h7.5a4 4 0 0 1 0 8H6" />
}

export function Bell() {
  return <Icon path="M3 11.5c1-1 1-2 1-4.5a4 4 0 0 1 8 0c0 2.5 0 3.5 1 4.5zM6.5 14h3" />
}

export function Warning() {
  return <Icon path="M14.5 8a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0zM8 4.5v4m0 2.3v.4" />
}
