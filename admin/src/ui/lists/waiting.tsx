/** In place of rows that are on their way. */
export function WaitingRows({ count }: { count: number }) {
  return (
    <ul className="rows" aria-busy="true">
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <li key={place}>
          <span className="grow">
            <span className="skeleton" />
          </span>
        </li>
      ))}
    </ul>
  )
}
