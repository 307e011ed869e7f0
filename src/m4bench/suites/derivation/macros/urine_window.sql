-- Sums over a trailing window of urine entries, each of which stands for the time since the entry before it.
-- `moment` and `gap` are in one unit with `reach`, the length of the window; `entries` names the window.

-- Time of the oldest entry that lies before the window.
CREATE MACRO time_before_window(moment, gap, reach, entries) AS
    GREATEST(0, moment - reach - (FIRST_VALUE(moment) OVER entries - FIRST_VALUE(gap) OVER entries));

-- Volume of a window, of its oldest entry only the share of its time that lies within; an entry over no time has none.
CREATE MACRO volume_within(volume, moment, gap, reach, entries) AS
    SUM(CASE WHEN gap > 0 THEN volume END) OVER entries
    - COALESCE(
        FIRST_VALUE(CASE WHEN gap > 0 THEN volume END) OVER entries
        * (
            CAST(time_before_window(moment, gap, reach, entries) AS DOUBLE)
            / NULLIF(CAST(FIRST_VALUE(gap) OVER entries AS DOUBLE), 0)
        ),
        0
    );

-- Time that the entries of a window stand for within it.
CREATE MACRO time_within(moment, gap, reach, entries) AS
    SUM(gap) OVER entries - time_before_window(moment, gap, reach, entries);

-- Sum over two windows that lie beside each other, null when both hold nothing.
CREATE MACRO sum_over_both(amount, first_window, second_window) AS
    COALESCE(
        SUM(amount) OVER first_window + SUM(amount) OVER second_window,
        SUM(amount) OVER first_window,
        SUM(amount) OVER second_window
    );
