import type { BoardService } from '#server/schemas/status/board.ts'
import { millisecondsText, uptimeText } from '../../components/numbers.ts'
import { Sparkline } from '../../components/status/sparkline.tsx'
import classes from './board.module.css'

/** Uptime and response times of a service in a list. */
export function Numbers({ service }: { service: BoardService }) {
  return (
    <dl className={classes.numbers}>
      <div>
        <dt>24 h</dt>
        <dd>{uptimeText(service.uptime24h)}</dd>
      </div>
      <div>
        <dt>7 d</dt>
        <dd>{uptimeText(service.uptime7d)}</dd>
      </div>
      <div>
        <dt>p95</dt>
        <dd>{millisecondsText(service.p95Ms)}</dd>
      </div>
      <div className={classes.trend}>
        <dt>p95 by hour</dt>
        <dd>
          <Sparkline trend={service.trend} />
        </dd>
      </div>
    </dl>
  )
}
