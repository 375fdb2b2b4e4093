/** The tokens of the colours of lines and parts. A chart with more of them is hard to read. */
export const LINE_COLORS = [1, 2, 3, 4, 5, 6].map((number) => `chart-${number}`)
