import './chart.css'
import { useElementSize } from '@mantine/hooks'

export type Point = {
  /** Below the chart, as short as possible; empty for none. */
  tick: string
  /** The whole of it in words, for the pointer and for a screen reader. */
  said: string
  line: number
  lineBefore: number
  bar: number
  barBefore: number
}

type ChartProps = {
  /** What the chart shows, in a sentence. */
  label: string
  points: readonly Point[]
  showLine: (value: number) => string
  showBar: (value: number) => string
  /** Stands beside the last point of the line. */
  latest: string
}

const HEIGHT = 232
const LEFT = 52
const RIGHT = 20
const LINE = { top: 20, bottom: 140 }
const BAR = { top: 164, bottom: 206 }
const STEPS = 3

/** The next number that reads well: 1, 2, 3 or 5 with zeros, divided into three. */
export function niceMax(value: number): number {
  if (value <= 0) return 0
  const unit = 10 ** Math.floor(Math.log10(value))
  return unit * ([1, 1.5, 2, 3, 4.5, 6, 9].find((factor) => factor * unit >= value) ?? 15)
}

/** A line above bars, each against the time before, drawn by hand. */
export function Chart({ label, points, showLine, showBar, latest }: ChartProps) {
  const { ref, width } = useElementSize()
  const lineMax = niceMax(Math.max(...points.flatMap(({ line, lineBefore }) => [line, lineBefore])))
  const barMax = niceMax(Math.max(...points.flatMap(({ bar, barBefore }) => [bar, barBefore])))
  const band = Math.max(0, width - LEFT - RIGHT) / points.length
  const x = (place: number) => LEFT + (place + 0.5) * band
  const y = ({ top, bottom }: typeof LINE, value: number, max: number) =>
    max === 0 ? bottom : bottom - (value / max) * (bottom - top)
  const path = (values: readonly number[]) =>
    values.map((value, place) => `${place === 0 ? 'M' : 'L'}${x(place)} ${y(LINE, value, lineMax)}`).join('')
  const now = path(points.map(({ line }) => line))
  const end = points.at(-1)
  const thickness = Math.max(1, Math.min(14, band * 0.36))
  const lines = lineMax === 0 ? [0] : Array.from({ length: STEPS + 1 }, (_, step) => (lineMax / STEPS) * step)
  return (
    <div ref={ref} className="chart">
      <svg width={width} height={HEIGHT} role="img" aria-label={label}>
        {width > 0 && (
          <>
            {lines.map((value) => (
              <g key={value}>
                <path className="chart-grid" d={`M${LEFT} ${y(LINE, value, lineMax)}H${width - RIGHT}`} />
                <text x={LEFT - 8} y={y(LINE, value, lineMax) + 4} textAnchor="end">
                  {showLine(value)}
                </text>
              </g>
            ))}
            <path className="chart-area" d={`${now}V${LINE.bottom}H${x(0)}Z`} />
            <path className="chart-before" d={path(points.map(({ lineBefore }) => lineBefore))} />
            <path className="chart-now" d={now} />
            {end !== undefined && (
              <>
                <circle className="chart-dot" r={4} cx={x(points.length - 1)} cy={y(LINE, end.line, lineMax)} />
                <text
                  className="chart-latest"
                  x={x(points.length - 1) - 8}
                  y={Math.max(12, y(LINE, end.line, lineMax) - 8)}
                  textAnchor="end"
                >
                  {latest}
                </text>
              </>
            )}
            <path className="chart-grid" d={`M${LEFT} ${BAR.bottom}H${width - RIGHT}`} />
            <text x={LEFT - 8} y={BAR.top + 8} textAnchor="end">
              {barMax === 0 ? '' : showBar(barMax)}
            </text>
            <text x={LEFT - 8} y={BAR.bottom + 4} textAnchor="end">
              {showBar(0)}
            </text>
            {points.map(({ tick, said, bar, barBefore }, place) => (
              <g key={said}>
                <path
                  className="chart-bar-before"
                  d={`M${x(place)} ${BAR.bottom}V${y(BAR, barBefore, barMax)}h${thickness}V${BAR.bottom}Z`}
                />
                <path
                  className="chart-bar"
                  d={`M${x(place) - 1} ${BAR.bottom}V${y(BAR, bar, barMax)}h${-thickness}V${BAR.bottom}Z`}
                />
                {tick !== '' && (
                  <text x={x(place)} y={HEIGHT - 8} textAnchor="middle">
                    {tick}
                  </text>
                )}
                <rect className="chart-hover" x={x(place) - band / 2} y={0} width={band} height={HEIGHT}>
                  <title>{said}</title>
                </rect>
              </g>
            ))}
          </>
        )}
      </svg>
      <ul className="hidden" aria-label={label}>
        {points.map(({ said }) => (
          <li key={said}>{said}</li>
        ))}
      </ul>
    </div>
  )
}
