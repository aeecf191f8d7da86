import { useId } from 'react'

type SegmentsProps<Value extends string> = {
  label: string
  values: readonly { value: Value; title: string }[]
  chosen: Value
  choose: (value: Value) => void
}

/** One of a few, all of them in sight. */
export function Segments<Value extends string>({ label, values, chosen, choose }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className="segments">
      <legend className="hidden">{label}</legend>
      {values.map(({ value, title }) => (
        <label key={value}>
          <input type="radio" name={name} checked={chosen === value} onChange={() => choose(value)} />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  )
}
