"""`felt doctor`: looks at the whole machine of a table before it opens, and says what is wrong and what to do."""
