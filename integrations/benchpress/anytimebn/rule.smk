rule:
    name: module_name
    input:
        data=alg_input_data(),
    output:
        adjmat=alg_output_adjmat_path(module_name),
        time=alg_output_time_path(module_name),
        ntests=alg_output_ntests_path(module_name),
    # There is no image in a registry: build the Dockerfile beside this, and name it here. None uses
    # the Python that runs Snakemake, which must have anytimebn.
    container:
        None
    script:
        "script.py"
