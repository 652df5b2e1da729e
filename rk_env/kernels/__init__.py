"""The rules, one small scalar function each, over one game record `g` and one rules record `r`.

Read them as the chapters of the rule book: `deal`, `passing`, `play`, `scoring`, and `flow`, which joins them.
`batch` loops them over arrays of games. Kernels check nothing: they are called only behind a mask.
"""
