"""Parts of the salience panel: its days, its grid, the canvas of rows, the chart of one memory."""
