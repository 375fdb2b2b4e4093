/** Returns the parameters that Next gives to a page as those of a URL. Of a repeated one, the first counts. */
export function urlParams(given: Record<string, string | string[] | undefined>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value
      return first === undefined ? [] : [[name, first]]
    }),
  )
}
