"""Access while the window is closed or behind others: quick capture, and the icon in the system tray."""
