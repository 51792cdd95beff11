"""What fio-plot makes of a folder of our files, for test_fio.py to hold against the record.

read_with_fio_plot.py FOLDER RW DEPTH DIRECTION

Prints JSON: the bars it would draw, and the line of each log.
"""
import json
import sys

from fio_plot.fiolib import defaultsettings, getdata, jsonimport, jsonparsing

folder, rw, depth, direction = sys.argv[1:]
settings = defaultsettings.get_default_settings()
settings.update({"input_directory": [folder], "rw": rw, "iodepth": [int(depth)], "numjobs": [1],
                 "filter": [direction], "type": ["iops", "bw", "lat", "clat", "slat"]})
files = jsonimport.list_json_files(settings)
jobs = jsonparsing.parse_json_data(settings, jsonimport.import_json_dataset(settings, files))
lines = getdata.get_log_data(settings)
print(json.dumps({
    "bars": [{key: job[key] for key in ("iops", "lat")} for job in jobs[0]["data"]],
    "lines": {line["type"]: line["data"][0][direction] for line in lines}}))
