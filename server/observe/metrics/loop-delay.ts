import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

type Delays = ReturnType<typeof monitorEventLoopDelay>

const NANOSECONDS = 1e9
const PERCENTILES = [50, 90, 99]

/**
 * Adds the gauges of the event loop's delay, under the names of prom-client's default metrics. Those sample by a timer of
 * 10 ms, which was most of what an idle process did; these take one sample in each turn of the event loop.
 */
export function addLoopDelay(registry: Registry): void {
  const delays = monitorEventLoopDelay({ samplePerIteration: true })
  delays.enable()
  const gauge = (suffix: string, help: string, read: (delays: Delays) => number) =>
    new Gauge({
      name: `nodejs_eventloop_lag_${suffix}seconds`,
      help,
      registers: [registry],
      // Without a sample, the histogram has no least value and no mean.
      collect() {
        this.set(delays.count === 0 ? 0 : read(delays) / NANOSECONDS)
      },
    })
  gauge('min_', 'The shortest delay of the event loop', ({ min }) => min)
  gauge('', 'The mean delay of the event loop', ({ mean }) => mean)
  gauge('mean_', 'The mean delay of the event loop', ({ mean }) => mean)
  gauge('stddev_', 'The standard deviation of the delays of the event loop', ({ stddev }) => stddev)
  for (const p of PERCENTILES)
    gauge(`p${p}_`, `Percentile ${p} of the delays of the event loop`, (d) => d.percentile(p))
  // Collected last: the next values are those since this one.
  gauge('max_', 'The longest delay of the event loop', (d) => {
    const { max } = d
    d.reset()
    return max
  })
}
